/** The logo of the center, on paper only. */
import { useQuery } from '@tanstack/react-query'
import { ownLogo } from '../app/brand.ts'
import { centerQuery } from '../app/queries.ts'

export function PaperLogo({ center }: { readonly center: string }) {
  const { data } = useQuery(centerQuery(center))
  const logo = data && ownLogo(data.settings.branding.logo, location.origin)
  return logo ? <img className="paper-logo" src={logo} alt="" /> : null
}
