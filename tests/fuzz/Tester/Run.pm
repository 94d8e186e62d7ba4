# Run.pm -- one run of the program: its exit code, its verdict, what it wrote to standard error, and whether it came to an end by itself.
package Tester::Run;
use strict;
use warnings;
use JSON::PP;
use POSIX ':sys_wait_h';

our $limit = 60; # seconds after which a run counts as one that hangs
our $count = 0;

sub slurp {
  my ($file) = @_;
  open my $in, '<:raw', $file or return '';
  local $/;
  my $text = <$in>;
  return $text // '';
}

# Runs in `folder`; {code, signal, hung, out, err, verdict}.
sub command {
  my ($folder, @command) = @_;
  $count++;
  my $pid = fork() // die "fork: $!\n";
  if (!$pid) {
    chdir $folder or POSIX::_exit(126);
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', 'out' or POSIX::_exit(126);
    open STDERR, '>', 'err' or POSIX::_exit(126);
    exec { $command[0] } @command or POSIX::_exit(127);
  }
  my $hung = 0;
  eval {
    local $SIG{ALRM} = sub { die "late\n" };
    alarm $limit;
    waitpid $pid, 0;
    alarm 0;
    1;
  } or do { $hung = 1; kill 'KILL', $pid; waitpid $pid, 0 };
  my $status = $?;
  my %run = (code => $status >> 8, signal => $hung ? 0 : $status & 127, hung => $hung, limit => $limit, out => slurp("$folder/out"), err => slurp("$folder/err"));
  die "cannot run $command[0]\n" if $run{code} == 127 && $run{out} eq '';
  return \%run;
}

# The same of a command that writes a verdict.
sub verdict {
  my ($folder, @command) = @_;
  my $run = command($folder, @command);
  $run->{verdict} = eval { decode_json($run->{out}) };
  if (my $v = $run->{verdict}) { $run->{status} = {map { $_->{id} => $_ } @{$v->{properties}}} }
  return $run;
}

# A command line that a shell reads.
sub shown {
  return join ' ', map { my $w = $_; $w =~ /^[\w.,:=\/+-]+$/ ? $w : do { $w =~ s/'/'\\''/g; "'$w'" } } @_;
}

1;
