"""What goes wrong around an account."""


class MailNotSent(Exception):
    """The mail server didn't take a mail; nothing was changed that the mail was needed for."""
