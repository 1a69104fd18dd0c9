"""A hub for a class on one machine: `sudo .venv/bin/jupyterhub -f classroom/jupyterhub/jupyterhub_config.py`.

HUB_FOLDER holds the learners' folders and the hub's own state, HUB_ADDRESS and HUB_PORT say where it listens.
"""

import os
import shutil
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from classroom.jupyterhub.reach import closed_to_learners  # noqa: E402
from classroom.jupyterhub.spawner import LearnerSpawner  # noqa: E402

LONGEST_NAME = 20
LONGEST_FOLDER = 107 - LONGEST_NAME - len("//.run/kernel-12345678-1234-1234-1234-123456789012-ipc-5")

if os.geteuid() != 0:
    sys.exit("This hub keeps learners apart by user ids, which only root can give: start it with sudo.")
for needed in (sys.executable, PROJECT):
    if closed := closed_to_learners(needed):
        sys.exit(f"Learners cannot reach {needed}: {closed} is closed to others. Put it below /opt, for instance.")

c = get_config()  # noqa: F821
folder = Path(os.environ.get("HUB_FOLDER", "/srv/attention-hub"))
address, port = os.environ.get("HUB_ADDRESS", "127.0.0.1"), int(os.environ.get("HUB_PORT", 8000))
state, homes = folder / "state", folder / "learners"
if len(str(homes)) > LONGEST_FOLDER:
    sys.exit(f"HUB_FOLDER, {folder}, is too long: the kernels' sockets lie below it, and the system allows 107 characters.")
for place, mode in ((folder, 0o711), (state, 0o700), (homes, 0o711)):    # learners pass through, and see nothing
    place.mkdir(parents=True, exist_ok=True)
    place.chmod(mode)

# The hub: listens at the address; hub and proxy talk on the two ports after its own
c.JupyterHub.bind_url = f"http://{address}:{port}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{port + 1}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{port + 2}"
c.ConfigurableHTTPProxy.command = shutil.which("configurable-http-proxy") or "configurable-http-proxy"
c.ConfigurableHTTPProxy.pid_file = str(state / "proxy.pid")
c.JupyterHub.cookie_secret_file = str(state / "cookie_secret")
c.JupyterHub.db_url = f"sqlite:///{state / 'hub.sqlite'}"

# Who: a learner takes a name and, at the first login, a password of their own
c.JupyterHub.authenticator_class = "firstuseauthenticator.FirstUseAuthenticator"
c.FirstUseAuthenticator.dbm_path = str(state / "passwords")
c.Authenticator.allow_all = True
c.Authenticator.username_pattern = f"^[a-z][a-z0-9-]{{0,{LONGEST_NAME - 1}}}$"

# What each gets: a server under a user id of its own, the lessons copied, the project itself read-only
c.JupyterHub.spawner_class = LearnerSpawner
c.LearnerSpawner.home_dir_template = str(homes / "{username}")
c.Spawner.cmd = [sys.executable, str(PROJECT / "classroom" / "jupyterhub" / "private_copy.py"),
                 sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
c.Spawner.environment = {"JUPYTER_CONFIG_PATH": str(PROJECT / ".jupyter"), "OPENBLAS_NUM_THREADS": "1",
                         "JUPYTER_RUNTIME_DIR": lambda spawner: f"{spawner.home_dir}/.run"}
# Kernels meet their server in its private folder: no port to race for, and none at which others could listen
c.Spawner.args = ["--KernelManager.transport=ipc", "--MappingKernelManager.cull_idle_timeout=3600"]
c.Spawner.mem_limit = "1G"
c.Spawner.start_timeout = c.Spawner.http_timeout = 180    # thirty at once on two processors
c.JupyterHub.concurrent_spawn_limit = 40

# Servers that nobody uses end after an hour; what was saved stays
c.JupyterHub.load_roles = [{"name": "idle-culler", "services": ["idle-culler"], "scopes": [
    "list:users", "read:users:activity", "read:servers", "delete:servers"]}]
c.JupyterHub.services = [{"name": "idle-culler", "command": [
    sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={os.environ.get('HUB_IDLE', 3600)}",
    f"--cull-every={min(300, int(os.environ.get('HUB_IDLE', 3600)))}"]}]
