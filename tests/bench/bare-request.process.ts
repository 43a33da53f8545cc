/** The reference for requests: a Fastify route with the same schemas, the same query on a pool and the same answer, and nothing else. */
import { Center, CenterParam } from '@countersign/contract/centers.ts'
import { type CenterRow, centerOf } from '@countersign/server/features/centers/centers/api.ts'
import Fastify from 'fastify'
import pg from 'pg'
import { Type } from 'typebox'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } })
const answer = Type.Object({ success: Type.Boolean(), data: Center })
app.get<{ Params: { center: string } }>(
  '/api/centers/:center',
  { schema: { params: CenterParam, response: { 200: answer } } },
  async (request) => {
    const { rows } = await pool.query<CenterRow>(
      `select id, name, domain, tenant_type, status, vertical, member_count, settings, country, region
       from directory.centers where domain = $1`,
      [request.params.center],
    )
    return { success: true, data: centerOf(rows[0] as CenterRow) }
  },
)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
