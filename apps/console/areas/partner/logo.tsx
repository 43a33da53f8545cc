import { api } from '../../app/api.ts'
import { ownLogo } from '../../app/brand.ts'
import '../../ui/logo-field.css'
import { usePartnerWords } from './words.ts'

export const uploadAsPartner = async (png: string): Promise<string> => (await api.logos.addAsPartner({ png })).logo

/** For those who may not change it. */
export function LogoFact({ logo }: { readonly logo: string }) {
  const say = usePartnerWords()
  const shown = ownLogo(logo, location.origin)
  if (!shown) return logo || say('none')
  return (
    <span className="logo-shown">
      <img src={shown} alt={say('logo')} />
    </span>
  )
}
