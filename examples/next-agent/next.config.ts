import type { NextConfig } from 'next'

const config: NextConfig = {
  // Next guesses the root of the workspace by lock files in the folders above.
  turbopack: { root: import.meta.dirname },
}

export default config
