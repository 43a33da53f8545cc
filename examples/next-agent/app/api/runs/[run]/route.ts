import { proceed } from '../../../../lib/agent.ts'
import { type Happening, happenings } from '../../../../lib/runs.ts'

type Context = { params: Promise<{ run: string }> }

export async function POST(request: Request, { params }: Context): Promise<Response> {
  await proceed((await params).run, await request.text())
  return new Response(null, { status: 204 })
}

/** What happens in the run, as it happens, also what a webhook starts. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { run } = await params
  const events = new ReadableStream<string>({
    start(controller) {
      const send = (happening: Happening) => controller.enqueue(`data: ${JSON.stringify(happening)}\n\n`)
      happenings.on(run, send)
      request.signal.addEventListener('abort', () => happenings.off(run, send))
      controller.enqueue(': connected\n\n')
    },
  })
  return new Response(events.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
}
