"""Fill what leaderboards read of the rows that are there already; what is stored from now on has it."""

from django.db import migrations
from django.db.models import Max, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce


def fill(apps, schema_editor):
    statistics = apps.get_model('accounts', 'Statistics')
    users = apps.get_model('accounts', 'User').objects.filter(
        pk=OuterRef('user_id'), is_listed=True, is_active=True
    )
    games = apps.get_model('bakers', 'Game').objects.filter(
        user_id=OuterRef('user_id'), variant=OuterRef('variant'), kind=OuterRef('kind'), finished_at__isnull=False
    )
    last = games.order_by().values('user_id').annotate(last=Max('finished_at')).values('last')
    statistics.objects.update(
        listed_as=Coalesce(Subquery(users.values('display_name')[:1]), Value('')),
        listed_key=Coalesce(Subquery(users.values('name_key')[:1]), Value('')),
        last_at=Subquery(last),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_leaderboards'),
        ('bakers', '0004_results'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
