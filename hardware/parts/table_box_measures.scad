// What the box and its cover share.
inside_wide = 168;
inside_long = 122;
box_wide = inside_wide + 2 * wall;
box_long = inside_long + 2 * wall;
box_high = 62;
pi_at = [inside_wide / 2 - 87.5, -inside_long / 2 + 1.5];   // the board's corner at the power plug; its ports face right
pi_top = floor_ + pi_post + 1.6;
spacer_high = 11;                                           // between the Pi and the board that lies on its pins
driver_wide = 98;                                           // the board, as kicad/board.kicad_pcb has it,
driver_long = 71.6;
driver_pin = [41.402, 68.834];                              // from its upper left corner: the Pi's pin 1,
driver_sockets = [31.448, 73.358];                          // the middles of its sockets,
driver_posts = [[4, 5], [94, 5]];                           // and its screws at the wall
driver_corner = [pi_at[0] + 8.37 - driver_pin[0], pi_at[1] + 51.23 + driver_pin[1]];
driver_low = pi_top + spacer_high;
sockets_at = [for (x = driver_sockets) driver_corner[0] + x];
socket_up = driver_low + 1.6 + 6.25;                        // the middle of a socket on the board
notch_wide = 20.6;                                          // in the wall above a socket: it comes in from above
cover_screws = [for (x = [-1, 1], y = [-1, 1]) if (!(x == 1 && y == -1)) [x * (inside_wide / 2 - 4), y * (inside_long / 2 - 4)]];
pause_at = [-48, -24];
table_lamp_at = [-48, 32];
buzzer_at = [-20, 32];
