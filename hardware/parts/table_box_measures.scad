// What the box and its cover share.
inside_wide = 168;
inside_long = 122;
box_wide = inside_wide + 2 * wall;
box_long = inside_long + 2 * wall;
box_high = 62;
pi_at = [inside_wide / 2 - 87.5, -inside_long / 2 + 1.5];   // the board's corner at the power plug; its ports face right
pi_top = floor_ + pi_post + 1.6;
driver_wide = 81.3;                                         // a soldered breadboard of 30 rows
driver_long = 50.8;
board_at = [inside_wide / 2 - 54, inside_long / 2 - 29];
sockets_at = [-24, 24];
cover_screws = [for (x = [-1, 1], y = [-1, 1]) if (!(x == 1 && y == -1)) [x * (inside_wide / 2 - 4), y * (inside_long / 2 - 4)]];
pause_at = [-48, -24];
table_lamp_at = [-48, 32];
buzzer_at = [-20, 32];
