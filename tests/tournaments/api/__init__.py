"""The API, asked by everybody who may and by everybody who may not."""
