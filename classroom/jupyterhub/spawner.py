"""Servers of learners as processes of one machine, kept apart by the system: each has a user id and a folder of its own."""

import os
import resource
from pathlib import Path

from jupyterhub.spawner import SimpleLocalProcessSpawner
from traitlets import Integer

PRIVATE = 0o700


class LearnerSpawner(SimpleLocalProcessSpawner):
    """Starts each server under a user id that no account of the machine has; only root can. The id is the folder's owner.

    The memory limit holds for each process, server or kernel: more than that is refused by the system, and Python raises a
    MemoryError.
    """

    first_uid = Integer(600_000, help="The first user id for learners; none of an account may lie above.").tag(config=True)

    async def start(self):
        own_folder(Path(self.home_dir), self.first_uid)
        return await super().start()

    def make_preexec_fn(self, name):
        """What the new process does before it becomes the server."""
        uid, limit = os.stat(self.home_dir).st_uid, self.mem_limit

        def become_learner():
            if limit:
                resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            os.umask(0o077)
            os.chdir(self.home_dir)
        return become_learner


def own_folder(home, first_uid):
    """Make the folder of a learner, once: private, of an owner whom no other folder beside it has."""
    if home.is_symlink() or (home.exists() and os.stat(home).st_uid < first_uid):
        raise PermissionError(f"{home} belongs to no learner; the hub leaves it alone")
    if not home.exists():
        uid = max((entry.stat(follow_symlinks=False).st_uid for entry in os.scandir(home.parent)), default=0)
        home.mkdir(PRIVATE)
        os.chown(home, *[max(uid + 1, first_uid)] * 2)
    home.chmod(PRIVATE)
