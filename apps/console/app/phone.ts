/** A phone number as people write it, `010-1234-5678` or with its country, as the server takes it. */
export function e164(written: string): string {
  const digits = written.replaceAll(/[\s().-]/g, '')
  return digits.startsWith('0') ? `+82${digits.slice(1)}` : digits
}
