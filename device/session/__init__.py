"""A whole evening's recording: observations assigned to games, the stored state, and the report."""
