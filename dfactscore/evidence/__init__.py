"""What facts are judged against: entities with their documents, and the dates of both."""
