"""What people read: events, amounts, cards and columns in words; paper, and its templates."""
