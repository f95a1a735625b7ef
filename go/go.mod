module xorcore.example/xorcore

go 1.24
