"""What halls are tried with: lines to boxes that slow down and break, and message servers."""
