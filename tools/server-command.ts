/** `npm run db:migrate`, `npm run db:status`, `npm run operator -- COMMAND`: countersign-server with the settings that `npm run dev` keeps. */
import { settings } from './settings.ts'

Object.assign(process.env, settings())
await import('@countersign/server/bin.ts')
