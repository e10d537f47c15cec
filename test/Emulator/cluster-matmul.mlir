// The product of warp-specialised-matmul.mlir in a cluster of two blocks that share columns of B: each loads half of a
// stage's rows of B and multicasts it, and a stage is free when the consumers of both blocks have released it.
// DEFINE: %{launch} = --grid=2 --block=384 --shared=49216 --arg=bf16:60800:ramp:ro --arg=bf16:12160:ramp:ro --arg=bf16:8000:zeros
// RUN: tw-emulate %S/warp-specialised-matmul.mlir --kernel=plain --grid=200 --block=40 --arg=bf16:60800:ramp:ro --arg=bf16:12160:ramp:ro --arg=bf16:8000:zeros --print=2 > %t.plain
// RUN: tw-emulate %s %{launch} --print=2 > %t.late
// RUN: tw-emulate %s %{launch} --print=2 --early > %t.early
// RUN: tw-emulate %s %{launch} --print=2 --seed=7 > %t.seed
// RUN: diff %t.plain %t.late
// RUN: diff %t.plain %t.early
// RUN: diff %t.plain %t.seed
// RUN: tw-emulate %s %{launch} --mutate-sync | FileCheck %s

// CHECK-NOT: SURVIVED
// CHECK: 32 of 32 mutants reported

!acc = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  llvm.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>,
      %map_a: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
        ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [304, 200], strides = [608], box = [64, 128], swizzle = 128>},
      %map_b: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
        ptx.tensor_map = #ptx.tensor_map<of = 1, element = bf16, dims = [304, 40], strides = [608], box = [64, 16], swizzle = 128>},
      %map_c: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
        ptx.tensor_map = #ptx.tensor_map<of = 2, element = bf16, dims = [40, 200], strides = [80], box = [32, 64], swizzle = 64>})
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 384>, nvvm.minctasm = 1 : i32, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c15 = llvm.mlir.constant(15 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c127 = llvm.mlir.constant(127 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %stages = llvm.mlir.constant(2 : i32) : i32
    %blocks_of_k = llvm.mlir.constant(5 : i32) : i32
    %tiles = llvm.mlir.constant(2 : i32) : i32
    %stage_bytes = llvm.mlir.constant(20480 : i32) : i32
    %b_of_stage = llvm.mlir.constant(16384 : i32) : i32
    %a_of_consumer = llvm.mlir.constant(8192 : i32) : i32
    %c_staging = llvm.mlir.constant(40960 : i32) : i32
    %c_bytes = llvm.mlir.constant(4096 : i32) : i32
    %barriers = llvm.mlir.constant(49152 : i32) : i32
    %mask = llvm.mlir.constant(262143 : i32) : i32
    %ticks = llvm.mlir.constant(10000000 : i32) : i32
    %expected = llvm.mlir.constant(20480 : i32) : i32
    %all_lanes = llvm.mlir.constant(-1 : i32) : i32
    // Descriptors: 128-byte swizzle, 1024 bytes from one group of eight rows to the next; a step of K is 32 bytes.
    %desc_high = llvm.mlir.constant(4611686293305360384 : i64) : i64
    %step = llvm.mlir.constant(2 : i64) : i64
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %cluster = nvvm.read.ptx.sreg.clusterid.x : i32
    %clusters = nvvm.read.ptx.sreg.nclusterid.x : i32
    %both = llvm.mlir.constant(3 : i16) : i16
    %b_half = llvm.mlir.constant(2048 : i32) : i32
    %wg_of_lane = llvm.udiv %tid, %c128 : i32
    %wg = nvvm.shfl.sync idx %all_lanes, %wg_of_lane, %c0, %c31 : i32 -> i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %full = llvm.getelementptr %s[%barriers] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %empty = llvm.getelementptr %full[%c2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %full1 = llvm.getelementptr %full[%c1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %empty1 = llvm.getelementptr %empty[%c1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %is_first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %is_first, ^setup, ^ready
  ^setup:
    nvvm.prefetch tensormap, %map_a : !llvm.ptr
    nvvm.mbarrier.init %full, %c1 : !llvm.ptr<3>, i32 loc("full 0")
    nvvm.mbarrier.init %full1, %c1 : !llvm.ptr<3>, i32 loc("full 1")
    nvvm.mbarrier.init %empty, %c4 : !llvm.ptr<3>, i32 loc("empty 0")
    nvvm.mbarrier.init %empty1, %c4 : !llvm.ptr<3>, i32 loc("empty 1")
    nvvm.fence.mbarrier.init loc("barriers are there")
    llvm.br ^ready
  ^ready:
    nvvm.cluster.arrive {aligned} loc("set up")
    nvvm.cluster.wait {aligned} loc("all are set up")
    nvvm.griddepcontrol wait
    nvvm.griddepcontrol launch_dependents
    %is_producer = llvm.icmp "eq" %wg, %c0 : i32
    llvm.cond_br %is_producer, ^producer, ^consumer

  ^producer:
    nvvm.setmaxregister decrease 40
    %warp = llvm.udiv %tid, %c32 : i32
    %is_loader = llvm.icmp "eq" %warp, %c0 : i32
    llvm.cond_br %is_loader, ^elect, ^done
  ^elect:
    %elected = nvvm.elect.sync -> i1
    llvm.cond_br %elected, ^load_tile(%cluster, %c0, %c1 : i32, i32, i32), ^done
  ^load_tile(%pt: i32, %pst: i32, %pph: i32):
    %more_loads = llvm.icmp "slt" %pt, %tiles : i32
    llvm.cond_br %more_loads, ^load(%c0, %pst, %pph : i32, i32, i32), ^done
  ^load(%pk: i32, %lst: i32, %lph: i32):
    %lfull = llvm.getelementptr %full[%lst] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %lempty = llvm.getelementptr %empty[%lst] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.try_wait.parity %lempty, %lph, %ticks : !llvm.ptr<3>, i32, i32 loc("stage is empty")
    nvvm.mbarrier.arrive.expect_tx %lfull, %expected : !llvm.ptr<3>, i32 loc("expect a stage")
    %loff = llvm.mul %lst, %stage_bytes : i32
    %lboff0 = llvm.add %loff, %b_of_stage : i32
    %lhalf = llvm.mul %rank, %b_half : i32
    %lboff = llvm.add %lboff0, %lhalf : i32
    %la = llvm.getelementptr %s[%loff] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %lb = llvm.getelementptr %s[%lboff] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %lk = llvm.mul %pk, %c64 : i32
    %lrow = llvm.mul %rank, %c128 : i32
    %lcol0 = llvm.mul %pt, %c32 : i32
    %lcol1 = llvm.mul %rank, %c16 : i32
    %lcol = llvm.add %lcol0, %lcol1 : i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %la, %map_a, %lfull, box[%lk, %lrow] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load A")
    %lb7 = llvm.addrspacecast %lb : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %lb7, %map_b, %lfull, box[%lk, %lcol] multicast_mask = %both : !llvm.ptr<7>, !llvm.ptr loc("load B")
    %ln = llvm.add %lst, %c1 : i32
    %lwrap = llvm.icmp "eq" %ln, %stages : i32
    %lst2 = llvm.select %lwrap, %c0, %ln : i1, i32
    %lflip = llvm.xor %lph, %c1 : i32
    %lph2 = llvm.select %lwrap, %lflip, %lph : i1, i32
    %pk1 = llvm.add %pk, %c1 : i32
    %same_tile = llvm.icmp "slt" %pk1, %blocks_of_k : i32
    %pt1 = llvm.add %pt, %clusters : i32
    llvm.cond_br %same_tile, ^load(%pk1, %lst2, %lph2 : i32, i32, i32), ^load_tile(%pt1, %lst2, %lph2 : i32, i32, i32)

  ^consumer:
    nvvm.setmaxregister increase 232
    %consumer = llvm.sub %wg, %c1 : i32
    %leader_tid = llvm.urem %tid, %c128 : i32
    %is_leader = llvm.icmp "eq" %leader_tid, %c0 : i32
    %releases = llvm.icmp "ult" %leader_tid, %c2 : i32
    %s_address = llvm.ptrtoint %s : !llvm.ptr<3> to i32
    %a_half = llvm.mul %consumer, %a_of_consumer : i32
    %my_a = llvm.add %s_address, %a_half : i32
    %b_base = llvm.add %s_address, %b_of_stage : i32
    %my_c_offset = llvm.mul %consumer, %c_bytes : i32
    %my_c = llvm.add %my_c_offset, %c_staging : i32
    %staging = llvm.getelementptr %s[%my_c] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %my_barrier = llvm.add %consumer, %c1 : i32
    llvm.br ^tile(%cluster, %c0, %c0 : i32, i32, i32)
  ^tile(%t: i32, %st: i32, %ph: i32):
    %more = llvm.icmp "slt" %t, %tiles : i32
    llvm.cond_br %more, ^first, ^drain
  ^first:
    %ffull = llvm.getelementptr %full[%st] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.try_wait.parity %ffull, %ph, %ticks : !llvm.ptr<3>, i32, i32 loc("first stage is full")
    %nothing = llvm.mlir.poison : !acc
    %fao = llvm.mul %st, %stage_bytes : i32
    %fa0 = llvm.add %fao, %my_a : i32
    %fb0 = llvm.add %fao, %b_base : i32
    %fam = llvm.and %fa0, %mask : i32
    %fas = llvm.lshr %fam, %c4 : i32
    %faz = llvm.zext %fas : i32 to i64
    %fad0 = llvm.or %faz, %desc_high : i64
    %fad1 = llvm.add %fad0, %step : i64
    %fad2 = llvm.add %fad1, %step : i64
    %fad3 = llvm.add %fad2, %step : i64
    %fbm = llvm.and %fb0, %mask : i32
    %fbs = llvm.lshr %fbm, %c4 : i32
    %fbz = llvm.zext %fbs : i32 to i64
    %fbd0 = llvm.or %fbz, %desc_high : i64
    %fbd1 = llvm.add %fbd0, %step : i64
    %fbd2 = llvm.add %fbd1, %step : i64
    %fbd3 = llvm.add %fbd2, %step : i64
    nvvm.wgmma.fence.aligned loc("first fence")
    %fd0 = nvvm.wgmma.mma_async %fad0, %fbd0, %nothing, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <zero>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("first product")
    %fd1 = nvvm.wgmma.mma_async %fad1, %fbd1, %fd0, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("first product")
    %fd2 = nvvm.wgmma.mma_async %fad2, %fbd2, %fd1, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("first product")
    %fd3 = nvvm.wgmma.mma_async %fad3, %fbd3, %fd2, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("first product")
    nvvm.wgmma.commit.group.sync.aligned loc("first commit")
    %gn = llvm.add %st, %c1 : i32
    %gwrap = llvm.icmp "eq" %gn, %stages : i32
    %gst2 = llvm.select %gwrap, %c0, %gn : i1, i32
    %gflip = llvm.xor %ph, %c1 : i32
    %gph2 = llvm.select %gwrap, %gflip, %ph : i1, i32
    llvm.br ^next(%c1, %gst2, %gph2, %st, %fd3 : i32, i32, i32, i32, !acc)
  ^next(%k: i32, %kst: i32, %kph: i32, %prev: i32, %acc: !acc):
    %kfull = llvm.getelementptr %full[%kst] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.try_wait.parity %kfull, %kph, %ticks : !llvm.ptr<3>, i32, i32 loc("next stage is full")
    %kao = llvm.mul %kst, %stage_bytes : i32
    %ka0 = llvm.add %kao, %my_a : i32
    %kb0 = llvm.add %kao, %b_base : i32
    %kam = llvm.and %ka0, %mask : i32
    %kas = llvm.lshr %kam, %c4 : i32
    %kaz = llvm.zext %kas : i32 to i64
    %kad0 = llvm.or %kaz, %desc_high : i64
    %kad1 = llvm.add %kad0, %step : i64
    %kad2 = llvm.add %kad1, %step : i64
    %kad3 = llvm.add %kad2, %step : i64
    %kbm = llvm.and %kb0, %mask : i32
    %kbs = llvm.lshr %kbm, %c4 : i32
    %kbz = llvm.zext %kbs : i32 to i64
    %kbd0 = llvm.or %kbz, %desc_high : i64
    %kbd1 = llvm.add %kbd0, %step : i64
    %kbd2 = llvm.add %kbd1, %step : i64
    %kbd3 = llvm.add %kbd2, %step : i64
    nvvm.wgmma.fence.aligned loc("next fence")
    %kd0 = nvvm.wgmma.mma_async %kad0, %kbd0, %acc, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("next product")
    %kd1 = nvvm.wgmma.mma_async %kad1, %kbd1, %kd0, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("next product")
    %kd2 = nvvm.wgmma.mma_async %kad2, %kbd2, %kd1, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("next product")
    %kd3 = nvvm.wgmma.mma_async %kad3, %kbd3, %kd2, #nvvm.shape<m = 64, n = 32, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !acc -> !acc loc("next product")
    nvvm.wgmma.commit.group.sync.aligned loc("next commit")
    nvvm.wgmma.wait.group.sync.aligned 1 loc("last product is over")
    llvm.cond_br %releases, ^release, ^released
  ^release:
    %rempty = llvm.getelementptr %empty[%prev] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %rremote = nvvm.mapa %rempty, %leader_tid : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.mbarrier.arrive %rremote : !llvm.ptr<7> loc("release a stage")
    llvm.br ^released
  ^released:
    %mn = llvm.add %kst, %c1 : i32
    %mwrap = llvm.icmp "eq" %mn, %stages : i32
    %mst2 = llvm.select %mwrap, %c0, %mn : i1, i32
    %mflip = llvm.xor %kph, %c1 : i32
    %mph2 = llvm.select %mwrap, %mflip, %kph : i1, i32
    %k1 = llvm.add %k, %c1 : i32
    %same = llvm.icmp "slt" %k1, %blocks_of_k : i32
    llvm.cond_br %same, ^next(%k1, %mst2, %mph2, %kst, %kd3 : i32, i32, i32, i32, !acc), ^epilogue
  ^epilogue:
    nvvm.wgmma.wait.group.sync.aligned 0 loc("all products are over")
    llvm.cond_br %releases, ^release_last, ^free
  ^release_last:
    %eempty = llvm.getelementptr %empty[%kst] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %eremote = nvvm.mapa %eempty, %leader_tid : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.mbarrier.arrive %eremote {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7> loc("release the last stage")
    llvm.br ^free
  ^free:
    llvm.cond_br %is_leader, ^free_staging, ^store
  ^free_staging:
    nvvm.cp.async.bulk.wait_group 0 {read} loc("staging is free")
    llvm.br ^store
  ^store:
    "nvvm.barrier"(%my_barrier, %c128) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("staging may be written")
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %warp_of = llvm.udiv %leader_tid, %c32 : i32
    %row16 = llvm.mul %warp_of, %c16 : i32
    %lane_row = llvm.and %lane, %c15 : i32
    %row = llvm.add %row16, %lane_row : i32
    %row_bytes = llvm.mul %row, %c64 : i32
    %half = llvm.udiv %lane, %c16 : i32
    %pair = llvm.udiv %row, %c2 : i32
    %turn = llvm.and %pair, %three : i32
    %ch0 = llvm.add %half, %c0 : i32
    %sw0 = llvm.xor %ch0, %turn : i32
    %by0 = llvm.mul %sw0, %c16 : i32
    %of0 = llvm.add %row_bytes, %by0 : i32
    %at0 = llvm.getelementptr %staging[%of0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %x0 = llvm.extractvalue %kd3[0] : !acc
    %x1 = llvm.extractvalue %kd3[1] : !acc
    %p00 = nvvm.convert.f32x2.to.bf16x2 %x1, %x0 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r00 = llvm.bitcast %p00 : vector<2xbf16> to i32
    %x2 = llvm.extractvalue %kd3[2] : !acc
    %x3 = llvm.extractvalue %kd3[3] : !acc
    %p01 = nvvm.convert.f32x2.to.bf16x2 %x3, %x2 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r01 = llvm.bitcast %p01 : vector<2xbf16> to i32
    %x4 = llvm.extractvalue %kd3[4] : !acc
    %x5 = llvm.extractvalue %kd3[5] : !acc
    %p02 = nvvm.convert.f32x2.to.bf16x2 %x5, %x4 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r02 = llvm.bitcast %p02 : vector<2xbf16> to i32
    %x6 = llvm.extractvalue %kd3[6] : !acc
    %x7 = llvm.extractvalue %kd3[7] : !acc
    %p03 = nvvm.convert.f32x2.to.bf16x2 %x7, %x6 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r03 = llvm.bitcast %p03 : vector<2xbf16> to i32
    nvvm.stmatrix %at0, %r00, %r01, %r02, %r03 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32 loc("stage the result")
    %ch1 = llvm.add %half, %c2 : i32
    %sw1 = llvm.xor %ch1, %turn : i32
    %by1 = llvm.mul %sw1, %c16 : i32
    %of1 = llvm.add %row_bytes, %by1 : i32
    %at1 = llvm.getelementptr %staging[%of1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %x8 = llvm.extractvalue %kd3[8] : !acc
    %x9 = llvm.extractvalue %kd3[9] : !acc
    %p10 = nvvm.convert.f32x2.to.bf16x2 %x9, %x8 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r10 = llvm.bitcast %p10 : vector<2xbf16> to i32
    %x10 = llvm.extractvalue %kd3[10] : !acc
    %x11 = llvm.extractvalue %kd3[11] : !acc
    %p11 = nvvm.convert.f32x2.to.bf16x2 %x11, %x10 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r11 = llvm.bitcast %p11 : vector<2xbf16> to i32
    %x12 = llvm.extractvalue %kd3[12] : !acc
    %x13 = llvm.extractvalue %kd3[13] : !acc
    %p12 = nvvm.convert.f32x2.to.bf16x2 %x13, %x12 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r12 = llvm.bitcast %p12 : vector<2xbf16> to i32
    %x14 = llvm.extractvalue %kd3[14] : !acc
    %x15 = llvm.extractvalue %kd3[15] : !acc
    %p13 = nvvm.convert.f32x2.to.bf16x2 %x15, %x14 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %r13 = llvm.bitcast %p13 : vector<2xbf16> to i32
    nvvm.stmatrix %at1, %r10, %r11, %r12, %r13 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32 loc("stage the result")
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} loc("for the store")
    "nvvm.barrier"(%my_barrier, %c128) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("staging is written")
    llvm.cond_br %is_leader, ^send, ^sent
  ^send:
    %crow0 = llvm.mul %rank, %c128 : i32
    %crow1 = llvm.mul %consumer, %c64 : i32
    %crow = llvm.add %crow0, %crow1 : i32
    %ccol = llvm.mul %t, %c32 : i32
    nvvm.cp.async.bulk.tensor.global.shared.cta %map_c, %staging, box[%ccol, %crow] : !llvm.ptr, !llvm.ptr<3> loc("store C")
    nvvm.cp.async.bulk.commit.group loc("store's group")
    llvm.br ^sent
  ^sent:
    %t1 = llvm.add %t, %clusters : i32
    llvm.br ^tile(%t1, %mst2, %mph2 : i32, i32, i32)
  ^drain:
    llvm.cond_br %is_leader, ^last, ^done
  ^last:
    nvvm.cp.async.bulk.wait_group 0 loc("stores are over")
    llvm.br ^done
  ^done:
    nvvm.cluster.arrive loc("done")
    nvvm.cluster.wait loc("all are done")
    llvm.return
  }

}
