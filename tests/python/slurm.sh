#!/bin/sh
# Runs a command with Debian's Slurm on this machine: a controller and one node, authenticated by munge; no systemd, no
# cgroups, nothing outside a folder of its own. slurm.sh FOLDER COMMAND... Exit status 77: Slurm is not installed or does not
# start, so nothing was tested.
set -u
folder=$1 here=$PWD
shift
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null 2>&1 ||
    { echo "skipped: $program is not there (Debian packages slurmctld, slurmd, munge)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: slurmd needs root"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder/state" "$folder/spool" "$folder/munge" && cd "$folder" || exit 1
chmod 700 "$folder/munge"
node=$(hostname -s)
dd if=/dev/urandom of=munge/key bs=1024 count=1 2>/dev/null && chmod 400 munge/key
cat >slurm.conf <<EOF
ClusterName=nplab
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=2
MailProg=/bin/true
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF=$folder/slurm.conf
pids=
stop() {
  [ -n "$pids" ] && kill $pids 2>/dev/null
  wait
}
trap stop EXIT
munged --foreground --force --key-file=munge/key --socket=munge/socket --pid-file=munge/pid --log-file=munge/log \
  --seed-file=munge/seed >munge.out 2>&1 &
pids=$!
sleep 1
slurmctld -D -c >slurmctld.out 2>&1 &
pids="$pids $!"
slurmd -D >slurmd.out 2>&1 &
pids="$pids $!"
for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ] && break
  sleep 1
done
if [ "$(sinfo --noheader --format=%t 2>/dev/null)" != idle ]; then
  echo "skipped: Slurm does not start here:"
  tail -n 3 munge.out slurmctld.out slurmctld.log slurmd.out slurmd.log 2>/dev/null
  exit 77
fi
cd "$here" && "$@"
