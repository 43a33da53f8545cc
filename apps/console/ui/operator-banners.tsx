/** What concerns the whole platform, at the top of every page of the operator: broken chains, databases out of reach, passkeys. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { overviewQuery } from '../app/overview.ts'
import { useSoleAdmins } from '../app/waiting-passkeys.ts'
import { type Banner, BannerStack } from './banner-stack.tsx'
import { useUiWords } from './words.ts'

export function OperatorBanners() {
  const say = useUiWords()
  const cells = useQuery(overviewQuery).data?.cells ?? []
  const passkeys = useSoleAdmins('operator').data?.length ?? 0
  const alarms = cells.reduce((count, cell) => count + cell.alarms.length, 0)
  const away = cells.filter(({ up }) => !up)
  const found: readonly (Banner | null)[] = [
    alarms > 0
      ? {
          key: 'alarms',
          tone: 'broken',
          text: say('operatorAlarms', { count: alarms }),
          act: (
            <Link
              to="/operator/alarms"
              search={{ center: undefined, chain: undefined }}
              className="btn low"
              activeProps={{}}
            >
              {say('operatorAlarmsOpen')}
            </Link>
          ),
        }
      : null,
    away.length > 0
      ? {
          key: 'away',
          tone: 'broken',
          text: say('operatorAway', { names: away.map(({ name }) => name).join(', ') }),
          act: (
            <Link to="/operator/cells" className="btn low" activeProps={{}}>
              {say('operatorAwayOpen')}
            </Link>
          ),
        }
      : null,
    passkeys > 0
      ? {
          key: 'passkeys',
          tone: 'waiting',
          text: say('passkeysWait', { count: passkeys }),
          act: (
            <Link to="/operator/passkeys" className="btn low" activeProps={{}}>
              {say('passkeysOpen')}
            </Link>
          ),
        }
      : null,
  ]
  return <BannerStack banners={found.filter((each) => each !== null)} />
}
