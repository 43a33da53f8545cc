/** Onwards after signing in: within the console, or to the approval page, which is a document of its own. */
import { useNavigate } from '@tanstack/react-router'

export function useGo(): (address: string) => Promise<void> {
  const navigate = useNavigate()
  return async (address) => {
    if (address.startsWith('/approve/')) location.replace(address)
    else await navigate({ href: address, replace: true })
  }
}
