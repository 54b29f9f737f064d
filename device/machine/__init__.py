"""What has to be right with a machine before it referees: one Check a thing, with what to do where it is not."""
