"""Tilewright packages in Python: the runtime's C ABI through ctypes, with torch tensors as bound memory."""
import ctypes
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_uint32, c_uint64, c_void_p


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("message", c_char * 1024)]


class Options(ctypes.Structure):
    """twrt_session_options; the runtime fills in the defaults, so only what comes first is named."""
    _fields_ = [("device", c_int), ("ordinal", c_int), ("rest", c_char * 248)]


class Runtime:
    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        for name in ("twrt_package_open", "twrt_session_create", "twrt_prepare", "twrt_bind", "twrt_graph", "twrt_run"):
            getattr(self.lib, name).restype = c_int

    def call(self, name, *arguments):
        error = Error()
        if getattr(self.lib, name)(*arguments, byref(error)) != 0:
            raise RuntimeError(f"{name}: {error.message.decode()}")


class Session:
    """One package on the CUDA device, with torch tensors bound by name; `graph` is its CUgraph."""

    def __init__(self, runtime, path, tensors, entry=0):
        self.runtime = runtime
        self.package, self.session, self.entry = c_void_p(), c_void_p(), entry
        runtime.call("twrt_package_open", c_char_p(path.encode()), byref(self.package))
        options = Options()
        runtime.lib.twrt_session_options_init(byref(options))
        runtime.call("twrt_session_create", self.package, byref(options), byref(self.session))
        self.bind(tensors)
        runtime.call("twrt_prepare", self.session, c_uint32(entry))

    def bind(self, tensors):
        for name, tensor in tensors.items():
            if not tensor.is_contiguous():
                raise ValueError(f"tensor '{name}' is not contiguous")
            self.runtime.call("twrt_bind", self.session, c_char_p(name.encode()), c_void_p(tensor.data_ptr()),
                              c_uint64(tensor.numel() * tensor.element_size()))
        self.tensors = tensors

    def graph_of(self, tensors):
        """The graph over other tensors, good until the next call: who makes it a child node has a copy."""
        self.bind(tensors)
        return self.graph()

    def graph(self):
        handle = c_void_p()
        self.runtime.call("twrt_graph", self.session, byref(handle))
        return handle

    def run(self):
        """Launches the entry on the session's own stream."""
        self.runtime.call("twrt_run", self.session, None)

    def close(self):
        self.runtime.lib.twrt_session_destroy(self.session)
        self.runtime.lib.twrt_package_close(self.package)


def chained(runtime, path, sets):
    """A session of a package, and its graph over each of the `sets` of tensors, one after the other. One session, as a
    compiled function is one: copies of a package are copies of its code, which each kernel would wait for. All tensors live as
    long as the session does: the graph has their addresses."""
    import gpu_clock
    session = Session(runtime, path, sets[0])
    session.sets = sets
    return session, gpu_clock.ChainGraph(session.graph_of(tensors) for tensors in sets)
