/** The public interface of this package; other files cannot be imported. */
export { type HttpOptions, mcpHandler } from './http.ts'
export { countersignServer, type ServerNeeds } from './server.ts'
export { type ToolSummary, toolSummaries } from './tools.ts'
