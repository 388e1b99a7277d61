"""Take away levels that another formula gave; whoever asks next has the deal rated anew."""

from django.db import migrations


def forget(apps, schema_editor):
    apps.get_model('bakers', 'Answer').objects.filter(level__isnull=False).update(level=None)


class Migration(migrations.Migration):

    dependencies = [
        ('bakers', '0005_boards'),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
