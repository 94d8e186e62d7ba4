#!/usr/bin/perl
# explore.t -- the explorer's server by hand: good requests; wrong tokens, hosts, origins and types; broken HTTP, huge and endless bodies, clients that dawdle or hang up,
# thousands of random requests; a search that is stopped.  Afterwards it still answers, and Ctrl-C ends it.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use Test::More;
use Time::HiRes qw(time sleep);

my $thimble = $ENV{THIMBLE} || 'build/thimble';
alarm 240; # whatever happens, this ends

# ---- the server ----

my ($pid, $port, $token, $base, $out); # a handle that goes out of scope would wait for the program to end
sub start {
  my @args = @_;
  undef $out;
  $pid = open($out, '-|') // die "fork: $!";
  if (!$pid) {
    open STDERR, '>', '/dev/null';
    exec $thimble, 'explore', @args or die "exec: $!";
  }
  my $address = <$out>;
  ($port, $token) = ($address // '') =~ m{^http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/$};
  $base = "/" . ($token // '');
  return $address;
}
sub stop {
  kill 'INT', $pid;
  close $out; # waits
  return $?;
}

sub dial { return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Proto => 'tcp', Timeout => 5) }

# Sends a text and reads until the server closes or the answer is whole.
sub talk {
  my ($text, $seconds, $through) = @_;
  my $socket = dial() or return '';
  local $SIG{PIPE} = 'IGNORE';
  syswrite $socket, $text if length $text;
  shutdown $socket, 1 if $through; # nothing more will come
  my ($answer, $end) = ('', time + ($seconds // 10));
  my $select = IO::Select->new($socket);
  while (time < $end) {
    last if !$select->can_read($end - time);
    my $n = sysread $socket, my $piece, 65536;
    last if !$n;
    $answer .= $piece;
    if ($answer =~ /^(.*?\r\n)\r\n/s) {
      my $head = $1;
      last if $head =~ /^Content-Length: (\d+)/mi && length($answer) >= length($head) + 2 + $1;
    }
  }
  close $socket;
  return $answer;
}

sub request {
  my ($method, $path, $body, %more) = @_;
  my %heads = (Host => "127.0.0.1:$port", Connection => 'close', %more);
  $heads{'Content-Type'} //= 'application/json' if defined $body;
  $heads{'Content-Length'} //= length $body if defined $body && !exists $heads{'Transfer-Encoding'};
  my $text = "$method $path HTTP/1.1\r\n" . join('', map { defined $heads{$_} ? "$_: $heads{$_}\r\n" : '' } sort keys %heads) . "\r\n" . ($body // '');
  return talk($text);
}
sub status { return $_[0] =~ m{^HTTP/1\.[01] (\d+)} ? $1 : 0 }
sub body { return $_[0] =~ /\r\n\r\n(.*)/s ? $1 : '' }
sub get { return request('GET', "$base/$_[0]") }
sub post { return request('POST', "$base/$_[0]", $_[1]) }

like(start('examples/mutex.pnml', '--memory', '200M'), qr{^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$}, 'it prints its address');
my $first = $token;

# ---- good requests ----

my $page = get('');
is(status($page), 200, 'the page');
like($page, qr{^Content-Type: text/html}mi, 'is HTML');
like($page, qr{^Content-Security-Policy: .*default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'}mi, 'with a policy');
like($page, qr{^$_\r$}mi, $_) for 'X-Content-Type-Options: nosniff', 'Cache-Control: no-store', 'X-Frame-Options: DENY', 'Referrer-Policy: no-referrer', 'Cross-Origin-Resource-Policy: same-origin';
like(body($page), qr{thimble\.explore/1}, 'and its data');
my $state = get('api/state?id=0');
is(status($state), 200, 'a state');
like($state, qr{^Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r$}mi, 'may do nothing at all');
like(body($state), qr{"label":"idle1"}, 'with its values');
like(body(post('api/step', '{"state":0,"k":0}')), qr{"to":1}, 'a step');
is(status(request('HEAD', "$base/api/model")), 200, 'HEAD');
is(status(request('GET', "$base/api/model", undef, Host => "localhost:$port")), 200, 'by the name localhost');
is(status(request('GET', "$base/api/model", undef, Origin => "http://127.0.0.1:$port")), 200, 'from its own page');
is(status(request('GET', "$base/api/model", undef, 'Sec-Fetch-Site' => 'same-origin')), 200, 'as browsers tell it');
like(body(get('api/progress')), qr{^\{"states":\d+\}}, 'progress');
my $two = talk("GET $base/api/state?id=0 HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n\r\nGET $base/api/state?id=1 HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nConnection: close\r\n\r\n", 3);
like($two, qr{"id":0}, 'two requests on one connection');

# ---- strangers ----

sub forbidden { my ($answer, $what) = @_; is(status($answer), 403, $what); unlike(body($answer), qr{thimble\.explore|idle1|"values"}, "$what: nothing is told") }
forbidden(request('GET', '/'), 'no token');
forbidden(request('GET', '/' . ('0' x 32) . '/'), 'another token');
forbidden(request('GET', '/' . substr($token, 0, 31) . ($token =~ /0$/ ? '1' : '0') . '/api/model'), 'nearly the token');
forbidden(request('GET', "/$token"), 'the token without its slash');
forbidden(request('GET', '/favicon.ico'), 'what browsers ask by themselves');
forbidden(request('GET', "$base/api/model", undef, Host => "evil.example:$port"), 'another host');
forbidden(request('GET', "$base/api/model", undef, Host => '127.0.0.1'), 'no port');
forbidden(request('GET', "$base/api/model", undef, Host => '127.0.0.1:' . ($port ^ 1)), 'another port');
forbidden(request('GET', "$base/api/model", undef, Host => "127.0.0.1:$port.evil.example"), 'a longer host');
forbidden(request('GET', "$base/api/model", undef, Origin => 'http://evil.example'), 'another origin');
forbidden(request('GET', "$base/api/model", undef, Origin => 'null'), 'no origin that has a name');
forbidden(request('GET', "$base/api/model", undef, Origin => "https://127.0.0.1:$port"), 'another scheme');
forbidden(request('POST', "$base/api/step", '{"state":0,"k":0}', Origin => "http://127.0.0.1:$port.evil.example"), 'a longer origin');
forbidden(request('GET', "$base/api/model", undef, 'Sec-Fetch-Site' => 'cross-site'), 'another site, as browsers tell it');
forbidden(talk("GET $base/api/model HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nHost: evil.example\r\nConnection: close\r\n\r\n"), 'two hosts') if 1;
unlike(talk("GET $base/api/model HTTP/1.1\r\nConnection: close\r\n\r\n"), qr{thimble\.explore}, 'no host');
my $else = IO::Socket::INET->new(PeerAddr => '127.0.0.2', PeerPort => $port, Proto => 'tcp', Timeout => 2);
ok(!$else, 'it listens on 127.0.0.1 alone');

# ---- nonsense ----

is(status(get('api/state?id=99')), 400, 'a state that there is not');
is(status(get('api/state?id=x')), 400, 'no number');
is(status(get('api/state')), 400, 'no state');
is(status(get('api/nothing')), 404, 'a request that there is not');
is(status(get('elsewhere')), 404, 'another page');
is(status(get('api/step')), 400, 'a step by GET');
is(status(post('api/step', '{"state":')), 400, 'half an object');
is(status(post('api/step', '[' x 3000)), 400, 'very deep');
is(status(post('api/step', "\xff\xfe\0")), 400, 'no text');
is(status(post('api/step', '')), 400, 'nothing');
is(status(post('api/open', '{"schema":"thimble.trace/1"}')), 400, 'a file that is no run');
is(status(post('api/open', '[]')), 400, 'no file');
is(status(request('POST', "$base/api/step", '{"state":0,"k":0}', 'Content-Type' => 'text/plain')), 415, 'another type');
is(status(request($_, "$base/api/model")), 405, $_) for qw(PUT DELETE OPTIONS PATCH);
is(status(talk("GET $base/api/model\r\n\r\n", 2)) == 200 ? 1 : 0, 0, 'no version');
is(status(talk("BLAH\r\n\r\n", 2)) == 200 ? 1 : 0, 0, 'no request');
is(status(talk("GET $base/api/model HTTP/1.x\r\nHost: 127.0.0.1:$port\r\n\r\n", 2)) == 200 ? 1 : 0, 0, 'no version that there is');
is(status(talk("GET $base/api/model HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n", 2)) == 200 ? 1 : 0, 0, 'a header without a colon');
is(status(talk("GET /" . ('a' x 100000) . " HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n\r\n", 3)) == 200 ? 1 : 0, 0, 'a long address');
is(status(talk("GET $base/api/model HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n" . ("X: y\r\n" x 20000) . "\r\n", 3)) == 200 ? 1 : 0, 0, 'many headers');
is(status(get('api/model?' . join('&', map { "a$_=$_" } 1 .. 400))), 200, 'many arguments are cut');
is(status(get('api/../../etc/passwd')), 404, 'no files');

# ---- bodies ----

is(status(talk("POST $base/api/open HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nContent-Type: application/json\r\nContent-Length: 100000000000\r\n\r\n", 3)), 413, 'a huge body is refused by its length');
is(status(talk("POST $base/api/open HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n", 3)) == 200 ? 1 : 0, 0, 'a negative length');
{
  my $socket = dial();
  local $SIG{PIPE} = 'IGNORE';
  print $socket "POST $base/api/open HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  my ($sent, $piece) = (0, 'x' x 65536);
  for (1 .. 2000) { # 125 MB: more than it may ever keep
    last if !defined syswrite $socket, sprintf("%x\r\n", length $piece) . $piece . "\r\n";
    $sent += length $piece;
  }
  cmp_ok($sent, '<', 100e6, 'a body without end is cut off');
  close $socket;
}
is(status(get('api/model')), 200, 'it still answers');

# ---- clients that dawdle ----

my @slow = map { my $s = dial(); print $s "GET $base/api/mod" if $s; $s } 1 .. 400;
my @half = map { my $s = dial(); print $s "POST $base/api/step HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"sta" if $s; $s } 1 .. 20;
my $begun = time;
is(status(get('api/state?id=0')), 200, 'slow clients hold nobody up');
cmp_ok(time - $begun, '<', 5, 'not for a moment');
for (1 .. 100) { # those that ask and hang up
  my $s = dial() or next;
  print $s "GET $base/api/graph HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n\r\n";
  close $s;
}
is(status(get('api/model')), 200, 'nor do those that hang up');
close $_ for grep { $_ } @slow, @half;

# ---- random requests ----

srand 20261117;
my @words = ('GET', 'POST', 'HEAD', "$base/", "$base/api/state?id=", "$base/api/", 'api/', 'HTTP/1.1', 'HTTP/9.9', "\r\n", "\r\n\r\n", ' ', ':', 'Host: ', "127.0.0.1:$port", 'Content-Length: ', 'Content-Type: application/json', 'Transfer-Encoding: chunked', '{', '}', '"state"', '"k"', '[', ']', '0', '4294967295', '-1', '1e999', '%00', '%', '?', '&', '=', "\0", "\xff", 'Origin: ', 'step', 'walk', 'find', 'expand', 'run', 'open', 'graph', 'a' x 500);
my @names = qw(state step walk graph expand find run open path value net model source);
my @values = ('0', '1', '-1', '7', '"0"', '"x"', 'null', 'true', '1.5', '[]', '{}', '[0,0,0]', '4294967296', '99999999999999999999', '"deadlock"', '"invariant"', '"idle1 > "', '"\\ud800"', '"stated"');
my @keys = qw(id state k steps seed limit from kind text property seconds states var);
my ($answers, $wrong, $odd) = (0, 0, '');
for my $round (1 .. 3000) {
  my $text;
  if ($round % 3 == 0) { # noise
    $text = join '', map { $words[rand @words] } 1 .. 1 + rand 20;
  } else { # nearly right
    my $body = '{' . join(',', map { "\"$keys[rand @keys]\":$values[rand @values]" } 1 .. rand 5) . '}';
    substr($body, rand length $body, 1) = chr rand 256 if rand() < 0.2;
    my $name = $names[rand @names];
    $text = rand() < 0.3 ? "GET $base/api/$name?" . join('&', map { "$keys[rand @keys]=$values[rand @values]" } 1 .. rand 4) . " HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nConnection: close\r\n\r\n"
      : "POST $base/api/$name HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " . length($body) . "\r\n\r\n$body";
    substr($text, rand index($text, ' HTTP'), 1) = chr rand 256 if rand() < 0.1;
  }
  my $answer = talk($text, $round % 3 ? 5 : 0.03, $round % 3 == 0); # after half a line the server waits for the rest
  $answers++ if $answer =~ m{^HTTP/1\.1 (200|400|404)};
  if ($answer =~ m{^HTTP/1\.1 5}) { $wrong++; $odd ||= $text . "\n" . $answer }
}
cmp_ok($answers, '>', 1000, "random requests: $answers had an answer");
is($wrong, 0, 'and none a fault of the server') or diag $odd;
is(status(get('api/state?id=0')), 200, 'it still answers');
like(body(get('api/state?id=0')), qr{"label":"idle1", "text":"1"}, 'what it answered before');
ok(kill(0, $pid), 'it lives');
is(stop(), 0, 'Ctrl-C ends it, and all is well');

# ---- others ----

start('examples/mutex.pnml');
isnt($token, $first, 'each one has a token of its own');
my $taken = $port;
my $refused = `$thimble explore examples/mutex.pnml --port $taken 2>&1`;
is($? >> 8, 74, 'a port that is taken');
like($refused, qr{port $taken}, 'is named');
stop();
`$thimble explore nothing.net 2>/dev/null`;
is($? >> 8, 3, 'a model that there is not');

# A search that would last: progress is told meanwhile, and it stops when it is told.
start('examples/unbounded.net', '--time', '60');
my $pipe;
my $finder = open($pipe, '-|') // die;
if (!$finder) {
  print body(post('api/find', '{"kind":"reachable","text":"1 == 2"}'));
  require POSIX;
  STDOUT->flush;
  POSIX::_exit(0);
}
sleep 1;
$begun = time;
like(body(get('api/progress')), qr{^\{"states":\d+\}}, 'progress is told during a search');
cmp_ok(time - $begun, '<', 3, 'at once');
post('api/stop', '{}');
my $found = join '', <$pipe>;
close $pipe;
like($found, qr{"verdict":}, 'the search ends with a verdict');
is(status(get('api/state?id=0')), 200, 'and the explorer goes on');
is(stop(), 0, 'the end');
done_testing();
