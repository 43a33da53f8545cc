/** A passkey device of the browser itself, for one page. It approves every request, unless it is told otherwise. */
import type { CDPSession, Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** Whether the person shows a finger, a face or a code. */
  verifies(yes: boolean): Promise<void>
  /** Whether a person touches it when it is asked. */
  isTouched(yes: boolean): Promise<void>
  credentials(): Promise<number>
}

/** A browser has one device of its own (`internal`); a second one is connected. */
export async function addAuthenticator(
  page: Page,
  transport: 'internal' | 'usb' = 'internal',
): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    isTouched: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
