"""The account's part of the API."""
