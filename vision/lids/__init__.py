"""The prisoner lids: where they lie and what lies in them."""
