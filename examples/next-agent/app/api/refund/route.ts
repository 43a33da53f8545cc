import { runAgent } from '../../../lib/agent.ts'

export async function POST(request: Request): Promise<Response> {
  const { order, won } = (await request.json()) as { order: string; won: number }
  return Response.json(await runAgent(order, won))
}
