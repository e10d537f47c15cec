// A worker that hangs or is killed is an error that names the kernel, within the time limit.
// RUN: mkdir -p %t
// RUN: printf '#!/bin/sh\ncase $1 in --version) echo "release 1.0, V1.0.0";; *) exec sleep 60;; esac\n' > %t/slow
// RUN: printf '#!/bin/sh\ncase $1 in --version) echo "release 1.0, V1.0.0";; *) kill -9 $PPID;; esac\n' > %t/deadly
// RUN: printf '#!/bin/sh\ncase $1 in --version) echo "release 1.0, V1.0.0";; *) exit 3;; esac\n' > %t/mute
// RUN: chmod +x %t/slow %t/deadly %t/mute
// RUN: not tw-assemble %s --arch=sm_80 --ptxas=%t/slow --time-limit=1 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: not tw-assemble %s --arch=sm_80 --ptxas=%t/deadly 2>&1 | FileCheck %s --check-prefix=KILLED
// RUN: not tw-assemble %s --arch=sm_80 --ptxas=%t/mute 2>&1 | FileCheck %s --check-prefix=MUTE
// RUN: not tw-assemble %s --arch=sm_80 --ptxas=%t/absent 2>&1 | FileCheck %s --check-prefix=ABSENT

// SLOW: :[[@LINE+5]]:{{[0-9]+}}: error: kernel 'one' for sm_80: the worker exceeded the time limit of 1 s
// KILLED: :[[@LINE+4]]:{{[0-9]+}}: error: kernel 'one' for sm_80: the worker was stopped by signal 9 (Killed)
// MUTE: error: kernel 'one' for sm_80: ptxas: stopped with status 3 and no message
// ABSENT: error: ptxas '{{.*}}absent' is not an executable file
gpu.module @first {
  llvm.func @one() attributes {nvvm.kernel} { llvm.return }
}
