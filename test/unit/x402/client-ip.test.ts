import test from 'ava'
import { clientIp } from '../../../plugins/x402/client-ip.ts'

test('without a trusted proxy the header is not looked at', (t) => {
  t.is(clientIp('10.0.0.1', '1.2.3.4', 0), '10.0.0.1')
  t.is(clientIp('::ffff:10.0.0.1', '', 0), '10.0.0.1')
})

test('what our proxies added counts, and what the client wrote before it does not', (t) => {
  t.is(clientIp('10.0.0.1', '6.6.6.6, 1.2.3.4', 1), '1.2.3.4')
  t.is(clientIp('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', 2), '1.2.3.4')
  t.is(clientIp('10.0.0.1', '', 1), '10.0.0.1')
  t.is(clientIp('10.0.0.1', '1.2.3.4', 2), '10.0.0.1')
})

test('of IPv6 the network counts, however it is written', (t) => {
  const network = '2001:db8:0:1::/64'
  for (const ip of ['2001:db8:0:1::5', '2001:0db8:0000:0001:ffff:0:0:1', '2001:DB8:0:1:2:3:4:5']) {
    t.is(clientIp(ip, '', 0), network, ip)
  }
  t.not(clientIp('2001:db8:0:2::5', '', 0), network)
  t.is(clientIp('::1', '', 0), '0:0:0:0::/64')
})

test('what a proxy writes beside the address makes no other: port and brackets', (t) => {
  const same: Record<string, string[]> = {
    '203.0.113.9': ['203.0.113.9:50000', '203.0.113.9:1', '[::ffff:203.0.113.9]:50000', '[::ffff:203.0.113.9]'],
    '2001:db8:0:1::/64': ['[2001:db8:0:1::5]:50000', '[2001:db8:0:1::5]', '[2001:db8:0:1::6]:1', '2001:db8:0:1::5'],
  }
  for (const [ip, forms] of Object.entries(same)) {
    for (const form of forms) t.is(clientIp('10.0.0.1', `6.6.6.6, ${form}`, 1), ip, form)
  }
  t.is(clientIp('10.0.0.1', '1.2.3.4:5, 10.0.0.2:6', 2), '1.2.3.4')
})

test('without brackets the last group of IPv6 is no port', (t) => {
  t.is(clientIp('', '::1:2:3:4:5', 1), '0:0:0:1::/64')
  t.is(clientIp('', '::1:2:3:4', 1), '0:0:0:0::/64')
})

test('what is no address is a name of its own, and a short one', (t) => {
  t.is(clientIp('', 'x'.repeat(10_000), 1).length, 45)
  t.is(clientIp('', ':'.repeat(10_000), 1), clientIp('', ':'.repeat(10_000), 1))
})
