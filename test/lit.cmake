# The lit suites: one per folder of test/, each with a target check-tilewright-<Folder> and a CTest entry Lit.<Folder>.
# Every run leaves its results as JSON in test/results/, which utils/check adds up.
if(NOT TILEWRIGHT_COMPILER)
  return()
endif()

set(TILEWRIGHT_LIT_FOLDERS Analysis Conformance Dialect Import Graph Plan Fuse Tile Schedule Target Ptx Package Runtime Pipeline Emulator
  Reference Conversion Remarks Distribution Integration Regression Documentation Driver)
set(TILEWRIGHT_LIT_JOBS 2 CACHE STRING "Tests that one lit suite runs at a time")

configure_file(${CMAKE_CURRENT_SOURCE_DIR}/lit.site.cfg.py.in ${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py @ONLY)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/results)

# What the suites run: the tools, and programs that tests add through the property TILEWRIGHT_TEST_TOOLS.
get_property(test_tools GLOBAL PROPERTY TILEWRIGHT_TEST_TOOLS)
get_property(unit_tests GLOBAL PROPERTY TILEWRIGHT_UNIT_TESTS)
set(tools)
foreach(tool tw-opt tw-translate tw-compile tw-run tw-tune tw-lsp-server tw-reduce TilewrightEmulator ${test_tools})
  if(TARGET ${tool})
    list(APPEND tools ${tool})
  endif()
endforeach()

foreach(folder IN LISTS TILEWRIGHT_LIT_FOLDERS)
  set(suite ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  set(lit ${LLVM_EXTERNAL_LIT} -sv --no-progress-bar -j ${TILEWRIGHT_LIT_JOBS}
    -o ${CMAKE_CURRENT_BINARY_DIR}/results/Lit.${folder}.json ${suite})
  # lit calls a suite without tests an error.
  execute_process(COMMAND grep -rqs "RUN:" ${CMAKE_CURRENT_SOURCE_DIR}/${folder} RESULT_VARIABLE without_tests)
  if(NOT without_tests)
    add_test(NAME Lit.${folder} COMMAND ${lit})
    set_tests_properties(Lit.${folder} PROPERTIES PROCESSORS ${TILEWRIGHT_LIT_JOBS} TIMEOUT 1800)
  endif()
  add_custom_target(check-tilewright-${folder} COMMAND ${lit} DEPENDS ${tools} USES_TERMINAL
    COMMENT "Running the lit tests of test/${folder}")
endforeach()

add_custom_target(tilewright-test-tools DEPENDS ${tools})
add_custom_target(check-tilewright COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure
  DEPENDS ${tools} ${unit_tests} USES_TERMINAL COMMENT "Running every unit test and lit suite")
