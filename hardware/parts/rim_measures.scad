// The lights of the rim and the channel they lie in, in millimetres.
rim_light = 1000 / 144;   // the lights of the rim: from one to the next,
rim_lights = 21;          // so many lie in a channel,
rim_strip = 12;           // how wide their strip is,
rim_high = 27;            // and how high it lies: a little below the board's upper side
rim_wall = 1.6;
rim_long = rim_lights * rim_light;
rim_wide = rim_strip + 0.4 + 2 * rim_wall;
rim_deck = 2.4;           // under the strip,
rim_lip = 2;              // and the edges beside it, which keep its light from players' eyes
