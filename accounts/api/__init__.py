"""The accounts' part of the API, a module a subject."""
