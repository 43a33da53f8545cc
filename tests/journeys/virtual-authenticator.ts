/** A passkey device of the browser itself, for one page. It approves every request, unless it is told otherwise. */
import type { CDPSession, Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** Whether the person shows a finger, a face or a code. */
  verifies(yes: boolean): Promise<void>
  credentials(): Promise<number>
}

export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
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
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
