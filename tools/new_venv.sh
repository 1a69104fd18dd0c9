#!/bin/sh
# new_venv.sh [PYTHON]: make .venv with the first Python that will do, or say in one line why none does.
# A .venv that works is kept.

.venv/bin/python -m pip --version >/dev/null 2>&1 && exit

[ $# -gt 0 ] || set -- python3 python3.13 python3.12 python3.11
install="from your system's packages or python.org"
seen="none was found; install one $install"

for python; do
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
    if [ -z "$version" ]; then
        [ $# -gt 1 ] || seen="$python does not run"
    elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        seen="$python is $version; install a newer one $install"
    elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        seen="$python ($version) lacks venv or ensurepip; on Debian and Ubuntu: apt install python3-venv"
    else
        echo "Making .venv with $python $version"
        exec "$python" -m venv --clear .venv
    fi
done

echo "Python 3.11 or newer with venv is needed, but $seen (another: PYTHON=/path/to/python)" >&2
exit 1
