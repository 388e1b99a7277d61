"""The REST API: JSON under `/api/`, described by openapi.yaml."""
