/** Where a process listens, and for which cells it works. */
import { integer, list, matching } from './setting-kinds.ts'
import { isCellName } from './setting-values.ts'

const isAddress = (text: string): boolean => /^[\w.:-]+$/.test(text)
const addressForm = 'an address to listen on, such as 0.0.0.0'

export const listeningSettings = {
  HOST: matching(addressForm, isAddress, {
    unset: '`127.0.0.1`; `0.0.0.0` in production',
    doc: 'The address to listen on',
  }),
  PORT: integer(0, 65_535, { default: '3000', doc: 'The port for the API, the documentation and the health checks' }),
  METRICS_PORT: integer(0, 65_535, { default: '9464', doc: 'The port for `/metrics`' }),
  METRICS_HOST: matching(addressForm, isAddress, {
    default: '127.0.0.1',
    doc: 'The address that `/metrics` listens on. The metrics name centers, so make this address reachable only to your metrics collector',
  }),
  HEALTH_PORT: integer(0, 65_535, {
    default: '9465',
    doc: 'The port for `/health/live` and `/health/ready` on a process with `ROLE=worker`. Other processes serve them on `PORT`',
  }),
  WORKER_CELLS: list('names of cells in CELLS', isCellName, {
    unset: 'all cells',
    doc: 'The cells that a worker does background work for. Every cell needs a worker',
  }),
  DRAIN_SECONDS: integer(0, 999_999_999, {
    unset: '`0`; `5` in production',
    doc: 'Seconds between reporting "not ready" and closing the port, so that load balancers notice',
  }),
}
