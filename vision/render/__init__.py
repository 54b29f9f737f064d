"""A renderer of Go tables: pictures with their exact ground truth."""
