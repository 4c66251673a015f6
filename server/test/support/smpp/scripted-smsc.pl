#!/usr/bin/perl
# A carrier that follows a plan: perl scripted-smsc.pl <port> <plan.json>. It speaks SMPP through Net::SMPP of Debian's libnet-smpp-perl, and writes
# what it receives to standard output, as one line of JSON each.
#
# The plan: {"bind": [[action…]…], "submit": {"<destination>": [[action…]…]}, "delivered": [[action…]…]}. Each event takes the next list of its kind; the
# last one applies to all that follow. Actions: {"resp": {"status", "message_id"}}, {"deliver": {…}}, {"raw": "<hex>"}, {"close": 1}, {"deaf": 1}.
# Values of "hex" within a deliver are bytes, all others texts or numbers.
use strict;
use warnings;
use JSON::PP;
use Net::SMPP;

$SIG{PIPE} = 'IGNORE';
$SIG{__WARN__} = sub { print STDERR @_ };
$| = 1;
my ($port, $file) = @ARGV;
open(my $in, '<', $file) or die "no plan: $!";
my $plan = decode_json(join '', <$in>);
close $in;

my $listener = Net::SMPP->new_listen('127.0.0.1', port => $port, smpp_version => 0x34, system_id => 'SCRIPTED') or die "cannot listen: $!";
say_event({ event => 'listening' });

while (my $connection = $listener->accept()) {
  say_event({ event => 'connected' });
  serve($connection);
  close $connection;
  say_event({ event => 'ended' });
}

sub say_event { print encode_json($_[0]), "\n"; }

# The next list of actions; the last one remains.
sub next_of {
  my ($lists) = @_;
  return [] unless $lists && @$lists;
  return @$lists > 1 ? shift @$lists : $lists->[0];
}

sub serve {
  my ($connection) = @_;
  my $deaf = 0;
  while (my $pdu = $connection->read_pdu()) {
    my $name = $pdu->explain_cmd;
    say_event({ event => $name, status => $pdu->{status}, seq => $pdu->{seq}, body => unpack('H*', $pdu->{data}) });
    next if $deaf;
    my $actions =
        $name =~ /^bind_\w+$/ && $name !~ /_resp$/ ? next_of($plan->{bind})
      : $name eq 'submit_sm' ? next_of($plan->{submit}{ $pdu->{destination_addr} })
      : $name eq 'deliver_sm_resp' ? next_of($plan->{delivered})
      : [];
    if ($name eq 'enquire_link') { $connection->enquire_link_resp(seq => $pdu->{seq}); next; }
    if ($name eq 'unbind') { $connection->unbind_resp(seq => $pdu->{seq}); return; }
    if ($name =~ /^bind_/ && !@$actions) { $actions = [{ resp => {} }]; }
    for my $action (@$actions) {
      if ($action->{resp}) { answer($connection, $name, $pdu, $action->{resp}); }
      elsif ($action->{deliver}) { deliver($connection, $action->{deliver}); }
      elsif ($action->{raw}) { $connection->syswrite(pack('H*', $action->{raw})); }
      elsif ($action->{deaf}) { $deaf = 1; }
      elsif ($action->{close}) { return; }
    }
  }
}

sub answer {
  my ($connection, $name, $pdu, $resp) = @_;
  my @how = (seq => $pdu->{seq}, status => $resp->{status} // 0);
  if ($name eq 'bind_transceiver') { $connection->bind_transceiver_resp(@how, system_id => 'SCRIPTED'); }
  elsif ($name eq 'bind_transmitter') { $connection->bind_transmitter_resp(@how, system_id => 'SCRIPTED'); }
  else { $connection->submit_sm_resp(@how, message_id => $resp->{message_id} // ''); }
}

sub deliver {
  my ($connection, $fields) = @_;
  my @given;
  # In a fixed order, so that the same plan gives the same bytes.
  for my $key (sort keys %$fields) {
    my $value = $fields->{$key};
    push @given, $key => ref $value ? pack('H*', $value->{hex}) : $value;
  }
  $connection->deliver_sm(async => 1, @given);
}
