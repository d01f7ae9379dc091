"""What people type, checked and turned into what actions take."""
