/** CRC16-XMODEM: polynomial 0x1021, start 0, no reflection. Stellar's strkeys (SEP-23) and TON's addresses (TEP-2). */
export function crc16Xmodem(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}
