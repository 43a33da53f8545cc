/** The public interface of this package; other files cannot be imported. */
export { failureText } from './failure.ts'
export { type HttpOptions, mcpHandler } from './http.ts'
export { countersignServer, type ServerNeeds } from './server.ts'
export { type ToolSummary, toolSummaries } from './tools.ts'
export { type Trace, traceOf } from './trace.ts'
