/** The state of the center's chains in words: in the header of every page, and beside their name in the menu. */
import { Link } from '@tanstack/react-router'
import { useNotices } from '../app/notices.ts'
import { StatusWord } from './status-word.tsx'
import { useUiWords } from './words.ts'

/** Null until the server has said it, and for people who don't see the chains. */
function useChain(center: string) {
  const { data: notices } = useNotices(center)
  if (!notices?.chain) return null
  const { broken, lost } = notices.chain
  return { state: broken ? 'Broken' : lost.length > 0 ? 'Lost' : 'Intact', domain: broken ?? lost[0]?.domain } as const
}

export function ChainWord({ center }: { readonly center: string }) {
  const say = useUiWords()
  const chain = useChain(center)
  if (!chain) return null
  const tone = chain.state === 'Intact' ? 'verified' : 'broken'
  return <StatusWord tone={tone}>{say(`chainState${chain.state}`)}</StatusWord>
}

export function ChainState({ center }: { readonly center: string }) {
  const chain = useChain(center)
  if (!chain) return null
  return (
    <Link
      to="/c/$center/chain"
      params={{ center }}
      search={chain.domain ? { domain: chain.domain } : {}}
      className={`chain-state ${chain.state === 'Intact' ? 'intact' : ''}`}
      activeProps={{}}
    >
      <ChainWord center={center} />
    </Link>
  )
}
