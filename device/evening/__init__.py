"""A whole evening's film: whose looks are whose, what is kept while it is watched, what is told of it."""
