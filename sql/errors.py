"""What can go wrong with the database itself.

SqlError
├── Unavailable            cannot be reached, or not in time
├── EmbeddedPostgresError  the embedded cluster cannot be set up or does not start
├── UnsafeRole             the application's login could see more than its users may
└── MigrationError
    ├── ChangedMigration   a landed migration file is no longer what was applied
    └── NewerSchema        the database was migrated by a newer Ibid
"""


class SqlError(Exception):
    """Something is wrong with the database."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.__doc__)


class Unavailable(SqlError):
    """The database cannot be reached."""


class EmbeddedPostgresError(SqlError):
    """The embedded cluster cannot be set up or does not start."""


class UnsafeRole(SqlError):
    """The application's database login is an owner, a superuser or exempt from row-level security."""


class MigrationError(SqlError):
    """The schema could not be brought up to date."""


class ChangedMigration(MigrationError):
    """A migration that was applied has since been edited; migrations never change once landed."""


class NewerSchema(MigrationError):
    """The database was migrated by a newer version of Ibid than this one."""
