// Command conformance writes the Wycheproof files that libxorcore is tested with into a folder.
//
// It is a module of its own because the one that it depends on is 112 MB, which no user of the library
// should ever download. tests/vectors/convert/wycheproof.py turns the files into vectors.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/c2sp/wycheproof"
)

var files = []string{
	"aes_cbc_pkcs5_test.json",
	"aes_ccm_test.json",
	"aes_cmac_test.json",
	"aes_gcm_siv_test.json",
	"aes_gcm_test.json",
	"aes_gmac_test.json",
	"aes_xts_test.json",
}

func extract(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, name := range files {
		text, err := fs.ReadFile(wycheproof.TestVectors, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: conformance FOLDER")
		os.Exit(2)
	}
	if err := extract(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
	fmt.Printf("%d Wycheproof files in %s\n", len(files), os.Args[1])
}
