/** A file of policies as YAML. The library is loaded when somebody needs it. */
import type { PolicyFile } from '@countersign/contract/policy-files.ts'

export async function yamlOf(file: PolicyFile, revision: string): Promise<string> {
  const { stringify } = await import('yaml')
  const head = `# Countersign policies, exported at the revision\n# ${revision}\n`
  return head + stringify(file, { lineWidth: 100, aliasDuplicateObjects: false })
}
