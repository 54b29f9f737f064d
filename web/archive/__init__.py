"""The pages of archived games."""
